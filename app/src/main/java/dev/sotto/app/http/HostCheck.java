package dev.sotto.app.http;

import dev.sotto.config.settings.HttpSettings;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Whether a request names this endpoint by a host that is its own. A browser lets a page read what
 * answers under the page's name, and whoever owns a name can have it point here (DNS rebinding):
 * such a request names a foreign host. Addresses are nobody's name.
 */
public final class HostCheck {
  /** What is answered where the host is not admitted. */
  static final String REFUSAL = "{\"error\":\"this host is not one of the learner's: ask by an"
      + " address or localhost, or list the name under " + HttpSettings.NAMES + "\"}\n";

  private static final Pattern PORT = Pattern.compile(":[0-9]{0,5}$");
  private static final Pattern ADDRESS =
      Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}|\\[[0-9a-f:.]+(%25[0-9a-z]+)?]");

  private final Set<String> names = new HashSet<>(Set.of("localhost"));

  private HostCheck() {}

  static HostCheck of(HttpSettings settings) {
    return of(settings.host(), settings.names());
  }

  /** For what listens on this host and may be asked under further names. */
  public static HostCheck of(String host, List<String> names) {
    HostCheck check = new HostCheck();
    check.names.add(plain(host));
    names.forEach(each -> check.names.add(plain(each)));
    return check;
  }

  /**
   * Whether it may be answered.
   *
   * @param host the header; null where there is none, which no browser leaves out
   */
  public boolean admits(String host) {
    if (host == null) {
      return true;
    }
    String name = plain(PORT.matcher(host.trim()).replaceFirst(""));
    return names.contains(name) || ADDRESS.matcher(name).matches();
  }

  /** In lower case, without the dot that ends a full name. */
  private static String plain(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
  }
}
