/**
 * The product's own attacker: it measures the noise and plants canaries; start with
 * {@link dev.sotto.evaluation.audit.Audit}.
 */
package dev.sotto.evaluation.audit;
