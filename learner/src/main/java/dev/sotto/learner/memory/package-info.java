/** Large arrays: how they go from one model to the next, and how cores share them. */
package dev.sotto.learner.memory;
