/** Removes the state of a stopped learner; start with {@link dev.sotto.app.reset.ResetRun}. */
package dev.sotto.app.reset;
