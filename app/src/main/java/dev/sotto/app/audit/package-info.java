/**
 * The product's own attacker: it measures the noise, plants canaries, and tries learners that are broken on purpose;
 * start with {@link dev.sotto.app.audit.Audit}.
 */
package dev.sotto.app.audit;
