package dev.sotto.learner.extension;

/**
 * What a provider of user code says of itself. Providers are found by
 * {@link java.util.ServiceLoader}: public, with a public constructor without parameters, and named
 * in a file under {@code META-INF/services}.
 */
public interface Extension {
  /**
   * The name in configurations: 1 to 60 of a-z, 0-9 and single hyphens between them, beginning with
   * a letter; not one that Sotto has itself.
   */
  String name();

  /**
   * Tells this code from what it was and will be: 1 to 100 printable characters. Change it whenever
   * the code gives another result for anything: it goes into the fingerprint, so that a model never
   * goes on with other code than it was begun with.
   */
  String version();
}
