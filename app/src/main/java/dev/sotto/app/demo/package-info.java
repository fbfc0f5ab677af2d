/**
 * The demo and its recorded stream; start with {@link dev.sotto.app.demo.Demo}.
 */
package dev.sotto.app.demo;
