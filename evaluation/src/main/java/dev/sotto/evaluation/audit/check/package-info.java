/**
 * Tests of the noise against the claimed distribution, with exactly known false alarm rates; start
 * with {@link dev.sotto.evaluation.audit.check.NoiseChecks}.
 */
package dev.sotto.evaluation.audit.check;
