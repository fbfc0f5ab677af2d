/**
 * From a sample of events to a commented configuration. Start with {@link
 * dev.sotto.app.init.ConfigurationFile}.
 */
package dev.sotto.app.init;
