/** What one event becomes before it is learned from; start with {@link dev.sotto.learner.example.Example}. */
package dev.sotto.learner.example;
