/**
 * What a guarantee says, and its price; start with {@link dev.sotto.learner.accounting.Guarantee}.
 */
package dev.sotto.learner.accounting;
