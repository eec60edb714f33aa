/** Carries out the requests of a class run in a process of its own. */
import "../files-on-disk.js";
import "../platform.js";
import { serveRequests } from "../grade/limited-request.js";
import { answerRequest } from "./class-check.js";

serveRequests(answerRequest);
