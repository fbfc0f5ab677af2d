/**
 * The product's own attacker: it measures the noise, plants canaries, and tries learners that are
 * broken on purpose; start with {@link dev.sotto.evaluation.audit.Audit}.
 */
package dev.sotto.evaluation.audit;
