package dev.sotto.evaluation.compare.page;

import dev.sotto.learner.key.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

/** The resources of a page: template, style, script, and charts, which the live page has too. */
public final class PageAssets {
  private PageAssets() {}

  /** The style of the charts. */
  public static String chartStyle() {
    return read("charts.css");
  }

  /** The script that draws charts. */
  public static String charts() {
    return read("charts.js");
  }

  static String template() {
    return read("page.html");
  }

  /** What is the same on every page, by its name in the template. */
  static Map<String, String> values() {
    String style = chartStyle() + read("page.css");
    String script = read("page.js");
    return Map.of(
        "style", style,
        "style-digest", allowing(style),
        "script", script,
        "script-digest", allowing(script),
        "charts", charts(),
        "charts-digest", allowing(charts()));
  }

  /** The source expression by which a content security policy allows this inline text alone. */
  static String allowing(String inline) {
    byte[] digest = Sha256.sha256(inline.getBytes(StandardCharsets.UTF_8));
    return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
  }

  private static String read(String name) {
    try (InputStream in = PageAssets.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the resource " + name + " must be in the build");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
    } catch (IOException unreadable) {
      throw new UncheckedIOException("cannot read " + name, unreadable);
    }
  }
}
