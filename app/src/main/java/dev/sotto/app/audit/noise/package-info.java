/**
 * What the noise of a mechanism must look like, written down again apart from the learner's own code; start with
 * {@link dev.sotto.app.audit.noise.NoiseMatrix}.
 */
package dev.sotto.app.audit.noise;
