/**
 * What the noise of a mechanism must look like: its matrix and its distribution, with which the
 * audit compares the noise that was drawn; start with
 * {@link dev.sotto.evaluation.audit.noise.NoiseMatrix}.
 */
package dev.sotto.evaluation.audit.noise;
