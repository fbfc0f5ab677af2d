package dev.sotto.app.compare.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** What the build put beside this class to go into pages: our own style and script, and the charting library. */
final class Assets {
  private Assets() {}

  static String style() {
    return read("page.css");
  }

  static String script() {
    return read("page.js");
  }

  /** Without the line that names a file to debug it with: the page loads nothing. */
  static String charts() {
    return read("chart.js/chart.umd.js").replaceAll("(?m)^//# sourceMappingURL=.*$", "");
  }

  /** The first line of its header, as in Chart.js v4.4.9. */
  static String chartsName() {
    return charts().lines().skip(1).findFirst().orElseThrow().replaceFirst("^[ *]+", "");
  }

  static String licences() {
    return read("chart.js/LICENSE.md").strip() + "\n\n@kurkle/color, which is in it:\n\n"
        + read("color/LICENSE.md").strip();
  }

  /** The source expression by which a content security policy allows just this inline text. */
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
    try (InputStream in = Assets.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the build must have put in " + name + ", but has not");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
    } catch (IOException unreadable) {
      throw new UncheckedIOException("cannot read " + name, unreadable);
    }
  }
}
