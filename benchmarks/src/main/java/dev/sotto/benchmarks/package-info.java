/**
 * Speed from end to end, beside a real broker; start with {@link dev.sotto.benchmarks.EndToEnd}.
 */
package dev.sotto.benchmarks;
