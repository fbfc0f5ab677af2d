/**
 * What can go wrong, in one family of exceptions; start with
 * {@link dev.sotto.topology.failure.SottoException}.
 */
package dev.sotto.topology.failure;
