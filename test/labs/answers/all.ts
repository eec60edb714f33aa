/** The answers to each exercise. */
import type { Answers } from "./answer.js";
import { answers as capstone } from "./capstone.js";
import { answers as day37 } from "./day-37.js";
import { answers as day38 } from "./day-38.js";
import { answers as day39 } from "./day-39.js";
import { answers as day40 } from "./day-40.js";
import { answers as day41 } from "./day-41.js";
import { answers as day42 } from "./day-42.js";
import { answers as day43 } from "./day-43.js";
import { answers as day44 } from "./day-44.js";
import { answers as day45 } from "./day-45.js";
import { answers as day46 } from "./day-46.js";
import { answers as day47 } from "./day-47.js";
import { answers as day48 } from "./day-48.js";
import { answers as lab25 } from "./lab-25.js";
import { answers as lab26 } from "./lab-26.js";
import { answers as lab27 } from "./lab-27.js";
import { answers as lab28 } from "./lab-28.js";
import { answers as lab29 } from "./lab-29.js";
import { answers as lab30 } from "./lab-30.js";

export const ANSWERS: readonly (readonly [exercise: string, answers: Answers])[] = [
  ["capstone", capstone],
  ["lab-25", lab25],
  ["lab-26", lab26],
  ["lab-27", lab27],
  ["lab-28", lab28],
  ["lab-29", lab29],
  ["lab-30", lab30],
  ["day-37", day37],
  ["day-38", day38],
  ["day-39", day39],
  ["day-40", day40],
  ["day-41", day41],
  ["day-42", day42],
  ["day-43", day43],
  ["day-44", day44],
  ["day-45", day45],
  ["day-46", day46],
  ["day-47", day47],
  ["day-48", day48],
];
