/**
 * Whether a learner can run on its cluster; start with {@link dev.sotto.app.preflight.Preflight}.
 */
package dev.sotto.app.preflight;
