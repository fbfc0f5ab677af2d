/** Arithmetic on plain arrays in a fixed order; start with {@link dev.sotto.learner.vector.Vectors}. */
package dev.sotto.learner.vector;
