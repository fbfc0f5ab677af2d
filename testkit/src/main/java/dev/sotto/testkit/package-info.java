/** Drives a configuration, a loss or a feature map in unit tests, without a broker. */
package dev.sotto.testkit;
