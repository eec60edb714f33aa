/** Carries out one request of a class run in a process of its own. */
import "../files-on-disk.js";
import "../platform.js";
import { endWithResult, limitedRequest } from "../grade/limited-request.js";
import { answerRequest } from "./class-check.js";
import type { ClassRequest } from "./class-request.js";

endWithResult(answerRequest(limitedRequest<ClassRequest>()));
