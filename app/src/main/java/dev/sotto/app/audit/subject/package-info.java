/**
 * Whom the audit examines: the real learner, and learners that are broken on purpose; start with {@link
 * dev.sotto.app.audit.subject.Subject}.
 */
package dev.sotto.app.audit.subject;
