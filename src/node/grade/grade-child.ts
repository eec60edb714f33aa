/** Grades submissions in a process of its own. */
import { gradeHere } from "./grade.js";
import { serveRequests } from "./limited-request.js";

serveRequests(gradeHere);
