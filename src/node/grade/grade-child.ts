/** Grades one submission in a process of its own. */
import "../files-on-disk.js";
import "../platform.js";
import { type GradeRequest, gradeHere } from "./grade.js";
import { endWithResult, limitedRequest } from "./limited-request.js";

endWithResult(gradeHere(limitedRequest<GradeRequest>()));
