package dev.sotto.evaluation.compare.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Map;

/** The resources of a page: template, style, script, and the charting library from the build. */
final class PageAssets {
  private PageAssets() {}

  static String template() {
    return read("page.html");
  }

  /** What is the same on every page, by its name in the template. */
  static Map<String, String> values() {
    String style = read("page.css");
    String script = read("page.js");
    // Without the line that names a file for debuggers: the page loads nothing.
    String charts = read("chart.js/chart.umd.js").replaceAll("(?m)^//# sourceMappingURL=.*$", "");
    // The first line of its header, as in Chart.js v4.4.9.
    String name = charts.lines().skip(1).findFirst().orElseThrow().replaceFirst("^[ *]+", "");
    String licences = read("chart.js/LICENSE.md").strip() + "\n\n@kurkle/color, which is in it:\n\n"
        + read("color/LICENSE.md").strip();
    return Map.of(
        "style", style,
        "style-digest", allowing(style),
        "script", script,
        "script-digest", allowing(script),
        "charts", charts,
        "charts-digest", allowing(charts),
        "charts-name", Html.text(name),
        "licences", Html.text(licences));
  }

  /** The source expression by which a content security policy allows this inline text alone. */
  static String allowing(String inline) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(inline.getBytes(StandardCharsets.UTF_8));
      return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException("this Java lacks SHA-256", missing);
    }
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
