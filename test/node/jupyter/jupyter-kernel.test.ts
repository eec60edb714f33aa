import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { KernelClient } from "../kernel-client.js";

let kernel: KernelClient;
beforeAll(async () => {
  kernel = await KernelClient.start();
});
afterAll(() => kernel.close());

describe("the Jupyter kernel", () => {
  test("is TypeScript, by Jupyter's protocol 5.3", async () => {
    const { content } = await kernel.request("kernel_info_request", {});
    expect(content).toMatchObject({ protocol_version: "5.3", language_info: { name: "typescript" } });
  });

  test("publishes the input with its number, the outputs, and the value, in this order", async () => {
    const { parent, content } = await kernel.run('console.log("said");\n6 * 7');
    expect(content).toMatchObject({ status: "ok", execution_count: 1 });
    expect(kernel.typesOf(parent)).toEqual(["execute_input", "stream", "execute_result"]);
    const input = kernel.published.find((each) => each.parent === parent && each.type === "execute_input");
    expect(input?.content).toEqual({ code: 'console.log("said");\n6 * 7', execution_count: 1 });
  });

  test("keeps names for the cells that follow", async () => {
    await kernel.run("const kept = 20;");
    const { parent } = await kernel.run("kept + 1");
    const result = kernel.published.find((each) => each.parent === parent && each.type === "execute_result");
    expect(result?.content.data).toEqual({ "text/plain": "21" });
  });

  test("answers a throw with an error that has name, value and traceback, and publishes it", async () => {
    const { parent, content } = await kernel.run('throw new RangeError("too far");');
    expect(content).toMatchObject({ status: "error", ename: "RangeError", evalue: "too far" });
    expect(kernel.typesOf(parent)).toEqual(["execute_input", "error"]);
  });

  test("runs the very next cell after a failure", async () => {
    await kernel.run("throw 1;");
    expect((await kernel.run('"ran"')).content.status).toBe("ok");
  });

  test("calls off the cells that were sent together with one that fails", async () => {
    const first = await kernel.send("execute_request", { code: 'throw new Error("first");' });
    const second = await kernel.send("execute_request", { code: '"second"' });
    expect((await first.reply).content.status).toBe("error");
    expect((await second.reply).content.status).toBe("aborted");
    expect((await kernel.run('"after"')).content.status).toBe("ok");
  });

  test("runs on where the sender says that errors do not stop it", async () => {
    const first = await kernel.send("execute_request", { code: "throw 1;", stop_on_error: false });
    const second = await kernel.send("execute_request", { code: '"second"', stop_on_error: false });
    expect((await first.reply).content.status).toBe("error");
    expect((await second.reply).content.status).toBe("ok");
  });

  test("says nothing of a silent request and does not count it", async () => {
    const before = (await kernel.run("1")).content.execution_count;
    const { parent } = await kernel.run("console.log(1)", { silent: true });
    expect(kernel.typesOf(parent)).toEqual([]);
    expect((await kernel.run("1")).content.execution_count).toBe(Number(before) + 1);
  });

  test("sends what a busy cell prints, 20,000 lines in few messages, and then what it throws", async () => {
    const code = 'for (let i = 0; i < 20000; i++) console.log(i);\nthrow new Error("the end");';
    const { parent } = await kernel.run(code, { stop_on_error: false });
    const streams = kernel.published.filter((each) => each.parent === parent && each.type === "stream");
    const text = streams.map(({ content }) => content.text).join("");
    expect(text).toBe(Array.from({ length: 20_000 }, (_, line) => `${line}\n`).join(""));
    expect(streams.length).toBeLessThan(200);
    expect(kernel.typesOf(parent).slice(-1)).toEqual(["error"]);
  });

  test("sends text that can be saved: half a surrogate pair becomes U+FFFD", async () => {
    const { parent } = await kernel.run('console.log("\\ud800"); "\\ud800"');
    const texts = kernel.published
      .filter((each) => each.parent === parent)
      .map(({ content }) => JSON.stringify(content));
    expect(texts.filter((text) => text.includes("\ufffd"))).toHaveLength(2);
    expect(texts.filter((text) => !text.includes("\\\\ud800") && /\\ud800/.test(text))).toEqual([]);
  });

  test("shows a table as HTML and text where it is a cell's last value", async () => {
    const table =
      '({ kind: "table", title: "Sums", note: "", rows: [{ sum: 1 }], columns: [{ key: "sum", title: "sum", unit: "", align: "right", format: {} }] })';
    const { parent } = await kernel.run(table);
    const [result] = kernel.published.filter((each) => each.parent === parent && each.type === "execute_result");
    expect(result!.content.data).toMatchObject({
      "text/html": expect.stringContaining("<table"),
      "text/plain": expect.stringContaining("Sums"),
    });
  });

  test("completes a name and explains it", async () => {
    await kernel.run("const warpSize: number = 32;");
    const { content } = await kernel.request("complete_request", { code: "warpS", cursor_pos: 5 });
    expect(content.matches).toContain("warpSize");
    const explained = await kernel.request("inspect_request", { code: "warpSize", cursor_pos: 4, detail_level: 0 });
    expect(JSON.stringify(explained.content.data)).toContain("const warpSize: number");
  });

  test("knows when a cell is not complete", async () => {
    const { content } = await kernel.request("is_complete_request", { code: "if (true) {" });
    expect(content).toEqual({ status: "incomplete", indent: "  " });
  });

  test("ends a busy cell on SIGINT and lives on", async () => {
    const { id, reply } = await kernel.send("execute_request", { code: 'console.log("busy"); for (;;) {}' });
    while (!kernel.typesOf(id).includes("stream")) await new Promise((done) => setImmediate(done));
    kernel.process.kill("SIGINT");
    expect((await reply).content.status).toBe("error");
    expect((await kernel.run("1")).content.status).toBe("ok");
  });

  test("ends when it is asked to, with code 0", async () => {
    const exit = once(kernel.process, "exit");
    expect((await kernel.request("shutdown_request", { restart: false })).content.restart).toBe(false);
    expect((await exit)[0]).toBe(0);
  });
});
