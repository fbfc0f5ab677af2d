/**
 * Tests of a user's own configuration, loss or decoder, without a broker. Start with
 * {@link dev.sotto.testkit.LearnerTestKit}.
 */
package dev.sotto.testkit;
