/** JavaScript that the kernel language does not have: for each construct what it is called and the cure. */

export interface Refusal {
  readonly what: string;
  readonly cure: string;
}

export const refusedSyntax: Readonly<Record<string, Refusal>> = {
  ThisExpression: {
    what: "`this` has no meaning in a kernel.",
    cure: "Use the kernel's parameters and local variables.",
  },
  Super: { what: "`super` has no meaning in a kernel.", cure: "Use the kernel's parameters and local variables." },
  ArrayExpression: {
    what: "An array literal needs memory that a thread does not have.",
    cure: "Use local(i32, 4) for an array of the thread's own, or shared(i32, 256) for one of the block.",
  },
  ObjectExpression: {
    what: "Objects have no place in a kernel.",
    cure: "Use separate variables, or a vector: make_float4(x, y, z, w).",
  },
  FunctionExpression: {
    what: "A function inside a kernel would be a closure.",
    cure: 'Make it a device function, outside: const f = device("f", { x: i32 }, ({ x }) => ...). Kernels call it by its name.',
  },
  ArrowFunctionExpression: {
    what: "A function inside a kernel would be a closure.",
    cure: 'Make it a device function, outside: const f = device("f", { x: i32 }, ({ x }) => ...). Kernels call it by its name.',
  },
  FunctionDeclaration: {
    what: "A function inside a kernel would be a closure.",
    cure: 'Make it a device function, outside: const f = device("f", { x: i32 }, ({ x }) => ...). Kernels call it by its name.',
  },
  ClassDeclaration: { what: "Classes have no place in a kernel.", cure: "Use local variables and device functions." },
  ClassExpression: { what: "Classes have no place in a kernel.", cure: "Use local variables and device functions." },
  NewExpression: {
    what: "`new` makes an object; a GPU thread has no heap.",
    cure: "Use local(f32, n) or shared(f32, n) for an array.",
  },
  TemplateLiteral: {
    what: "A template string has no place in a kernel.",
    cure: 'Use printf with a format: printf("%d\\n", x).',
  },
  TaggedTemplateExpression: {
    what: "A template string has no place in a kernel.",
    cure: 'Use printf with a format: printf("%d\\n", x).',
  },
  MetaProperty: { what: "import.meta and new.target have no place in a kernel.", cure: "Use the kernel's parameters." },
  ChainExpression: {
    what: "`?.` asks whether something exists; in a kernel everything does.",
    cure: "Write the access without the question mark.",
  },
  ImportExpression: {
    what: "A kernel cannot import.",
    cure: 'Make a device function, device("f", ...): kernels call it by its name.',
  },
  SpreadElement: { what: "`...` needs a list of unknown length.", cure: "Write the arguments one by one." },
  TryStatement: {
    what: "A GPU has no exceptions to catch.",
    cure: "Test before you act: if (i < n) { ... }.",
  },
  ThrowStatement: {
    what: "A GPU has no exceptions to throw.",
    cure: "Write an error code to an output array, or printf a message and return.",
  },
  ForInStatement: {
    what: "for-in walks the keys of an object; a kernel has none.",
    cure: "Count: for (let i = 0; i < n; i++).",
  },
  ForOfStatement: {
    what: "for-of walks a list that knows its length; a CUDA array does not.",
    cure: "Count: for (let i = 0; i < n; i++), with n a parameter.",
  },
  LabeledStatement: {
    what: "Labels are not part of the kernel language.",
    cure: "Leave the inner loop by a flag: let done = false; for (...; !done && ...; ...).",
  },
  WithStatement: { what: "`with` is not part of the kernel language.", cure: "Name the variables." },
  DebuggerStatement: {
    what: "`debugger` stops JavaScript, and a kernel is none.",
    cure: "Step through the launch with the simulator's stepping, or printf.",
  },
};

export const refusedOperators: Readonly<Record<string, Refusal>> = {
  typeof: { what: "typeof asks at run time; in a kernel every type is known from the text.", cure: "Leave it out." },
  delete: { what: "delete removes a property; a kernel has no objects.", cure: "Leave it out." },
  void: { what: "`void` is not part of the kernel language.", cure: "Leave it out." },
  in: { what: "`in` asks for a key of an object; a kernel has none.", cure: "Compare numbers." },
  instanceof: { what: "instanceof asks for a class; a kernel has none.", cure: "Leave it out." },
  "??": { what: "`??` asks for null or undefined; a kernel has neither.", cure: "Write c ? a : b with a condition." },
  "??=": { what: "`??=` asks for null or undefined; a kernel has neither.", cure: "Write if (...) x = y." },
  "&&=": { what: "`&&=` is not part of the kernel language.", cure: "Write if (x) x = y." },
  "||=": { what: "`||=` is not part of the kernel language.", cure: "Write if (!x) x = y." },
};
