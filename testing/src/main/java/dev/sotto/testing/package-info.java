/**
 * What the tests of every module share: {@link dev.sotto.testing.Seed the one seed} of everything
 * random, and {@link dev.sotto.testing.ClassBudget the processor time} that a class may take.
 */
package dev.sotto.testing;
