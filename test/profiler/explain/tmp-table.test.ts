import { it } from "vitest";
import { explain, Gpu } from "../../../src/index.js";
import { BOUND_KERNELS } from "./bound-kernels.js";
it("prints", () => {
  for (const id of ["m2070", "v100", "h200"]) {
    const gpu = new Gpu(id);
    for (const k of BOUND_KERNELS) {
      try {
      const a = k.launch(gpu);
      const t0 = performance.now();
      a.timeMs; const t1 = performance.now();
      const e = explain(a); const t2 = performance.now();
      const b = k.twin(gpu);
      console.log(id, "|", k.name, a.time.durationMicroseconds.toFixed(1), a.time.bound, "issue", a.time.issueSlotUtilizationPercent.toFixed(0), a.time.busiestPipe, a.time.pipeBusyPercent.toFixed(0), "l2", a.time.l2BusyPercent.toFixed(0), a.time.dominantStall, "| twin", (b.time.durationMicroseconds / a.time.durationMicroseconds).toFixed(3), "|", e.findings.map((f) => `${f.rule} ${f.timeLeft.toFixed(3)}`).join(", "), "| ms", (t1-t0).toFixed(0), (t2-t1).toFixed(0));
      } catch (err) { console.log(id, k.name, String(err.stack ?? err).slice(0, 600)); }
    }
  }
}, 600000);
