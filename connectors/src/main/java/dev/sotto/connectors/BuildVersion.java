package dev.sotto.connectors;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of this build, as Connect shows it. */
public final class BuildVersion {
  private static final String TEXT = read();

  private BuildVersion() {}

  /** Such as 0.1.0. */
  public static String text() {
    return TEXT;
  }

  private static String read() {
    Properties build = new Properties();
    try (InputStream in = BuildVersion.class.getResourceAsStream("build.properties")) {
      build.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException("build.properties must be readable, but was not", e);
    }
    return build.getProperty("version");
  }
}
