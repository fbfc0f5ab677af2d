/**
 * Joins records of features with the labels that come later: a function of two logs and their
 * times, whatever the order in which they are read (docs/late-labels.md).
 */
package dev.sotto.topology.label;
