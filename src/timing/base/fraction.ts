/**
 * What fields begin with that will hold fractions: 0, but a double. V8 lays an object out by what its fields have held; where one
 * that began with a whole number is given a fraction, all code that knows the object is compiled anew, which costs a launch's
 * timing more than what that code does.
 */
export const FRACTION: number = -0;
