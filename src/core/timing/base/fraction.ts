/**
 * The initial value of fields that will hold fractions: zero, but stored as a double. V8 chooses an object's layout by
 * the values that its fields have held. If a field that began as an integer receives a fraction, V8 recompiles all code
 * that uses the object. That costs more than the timing of a launch.
 */
export const FRACTION: number = -0;
