/**
 * Labelled examples, the slots that hold them, and arithmetic on plain arrays in a fixed order;
 * start with {@link dev.sotto.learner.example.Example}.
 */
package dev.sotto.learner.example;
