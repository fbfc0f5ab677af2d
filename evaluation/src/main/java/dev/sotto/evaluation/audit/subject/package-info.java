/**
 * Whom the audit examines: the real learner, and learners that are broken on purpose; start with
 * {@link dev.sotto.evaluation.audit.subject.AuditSubject}.
 */
package dev.sotto.evaluation.audit.subject;
