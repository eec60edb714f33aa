/** Grades submissions in a process of its own. */
import "../files-on-disk.js";
import "../platform.js";
import { gradeHere } from "./grade.js";
import { serveRequests } from "./limited-request.js";

serveRequests(gradeHere);
