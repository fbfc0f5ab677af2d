/** The learner's inner loops under JMH; start with {@link dev.sotto.benchmarks.micro.Gradients}. */
package dev.sotto.benchmarks.micro;
