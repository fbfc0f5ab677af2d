/**
 * Whom the audit examines: the real learner, or several of them beside each other; start with
 * {@link dev.sotto.evaluation.audit.subject.AuditSubject}.
 */
package dev.sotto.evaluation.audit.subject;
