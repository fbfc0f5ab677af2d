/**
 * What operators ask of a learner beside running it: what it will be, whether it can run, how to derive its state again,
 * and where a record went. Read {@link dev.sotto.app.operations.Preflight} first.
 */
package dev.sotto.app.operations;
