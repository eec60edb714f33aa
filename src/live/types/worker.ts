/** The worker that checks types: the page's own, since it runs none of the cells' code. */
import { TypeChecker } from "./checker.js";
import type { TypeAnswer, TypeRequest } from "./messages.js";

interface WorkerScope {
  onmessage: (event: { readonly data: TypeRequest }) => void;
  postMessage(message: TypeAnswer): void;
  fetch(address: string): Promise<{ json(): Promise<unknown> }>;
}

const scope = globalThis as unknown as WorkerScope;

/** Beside this script. */
const checker = scope
  .fetch("types.json")
  .then((answer) => answer.json())
  .then((files) => new TypeChecker(files as Readonly<Record<string, string>>));

scope.onmessage = ({ data: { id, ...request } }) => {
  void checker.then((types) => {
    const { texts } = request;
    if (request.kind === "marks") scope.postMessage({ id, value: types.marks(texts) });
    else scope.postMessage({ id, value: types[request.kind](texts, request.cell, request.position) });
  });
};
