/** Arrays that go from one model to the next. */
package dev.sotto.learner.memory;
