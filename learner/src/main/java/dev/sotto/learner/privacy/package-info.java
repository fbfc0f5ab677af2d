/** What a guarantee says, and its price; start with {@link dev.sotto.learner.privacy.Guarantee}. */
package dev.sotto.learner.privacy;
