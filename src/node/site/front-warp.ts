/** The front page's warp: a recorded sum of 32 lanes, which a visitor steps through before anything is loaded or run. */
import { i32, kernel, ptr } from "../../core/frontend/index.js";
import { shfl_xor_sync, threadIdx } from "../../core/frontend/words/index.js";
import { Gpu } from "../../core/host/gpu.js";
import { stepView } from "../../core/profiler/step-record.js";
import { escapeHtml } from "../../core/show/output/html.js";
import { drawSteps, STEPS_STYLE } from "../../core/show/output/step-viewer.js";
import { scriptJson } from "./page-frame.js";

/** The view as a script of the site's own (assets/steps.js). */
export function stepsScript(): string {
  return `/** Draws each recorded block of the page. */
for (const record of document.querySelectorAll('.steps > script[type="application/json"]')) {
  (${drawSteps.toString()})(JSON.parse(record.textContent), record.parentElement, document);
}
`;
}

const sumOfLanes = kernel("sumOfLanes", { data: ptr(i32) }, ({ data }) => {
  let sum = data[threadIdx.x]!;
  sum += shfl_xor_sync(0xffffffff, sum, 16);
  sum += shfl_xor_sync(0xffffffff, sum, 8);
  sum += shfl_xor_sync(0xffffffff, sum, 4);
  sum += shfl_xor_sync(0xffffffff, sum, 2);
  sum += shfl_xor_sync(0xffffffff, sum, 1);
  data[threadIdx.x] = sum;
});

export function frontWarp(): string {
  const gpu = new Gpu("v100");
  const data = gpu.upload(Int32Array.from({ length: 32 }, (_, lane) => lane + 1));
  const title = "A warp adds 1 to 32, without shared memory";
  const record = stepView(gpu, sumOfLanes, { grid: 1, block: 32 }, { data }, { title });
  return `<style>${STEPS_STYLE}</style>
<div class="steps"><noscript><p>${escapeHtml(record.alt)}</p></noscript>
<script type="application/json">${scriptJson(record)}</script></div>`;
}
