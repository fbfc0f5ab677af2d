/**
 * A run that begins at the published weights of another: where they come from, and what they have
 * cost.
 */
package dev.sotto.topology.start;
