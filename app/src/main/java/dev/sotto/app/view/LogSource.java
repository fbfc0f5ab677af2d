package dev.sotto.app.view;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.pattern.ClassicConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.sift.AbstractDiscriminator;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.zip.CRC32;
import org.slf4j.LoggerFactory;

/**
 * Whose lines a log holds: {@code sotto}, and of a learner its {@code app.id} and its instance
 * behind it. It is in the names of log files and in each line; logback.xml names the classes here.
 */
public final class LogSource {
  private static final String APP = "app";
  private static final String INSTANCE = "instance";
  private static final String PROGRAM = "sotto";

  private LogSource() {}

  /**
   * What tells the instances of a learner apart, also after a restart: the machine, and six digits
   * that follow from the state folder.
   */
  public static String instance(Path stateFolder) {
    CRC32 sum = new CRC32();
    sum.update(
        stateFolder.toAbsolutePath().normalize().toString().getBytes(StandardCharsets.UTF_8));
    return host() + "-" + String.format(Locale.ROOT, "%06x", sum.getValue() & 0xffffff);
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName().replaceAll("[^A-Za-z0-9._-]", "-");
    } catch (UnknownHostException nameless) {
      return "localhost";
    }
  }

  /** From now on this process logs as an instance of a learner. */
  public static void name(String app, String instance) {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      name(context, app, instance);
    }
  }

  /** The same of another context than the process has. */
  public static void name(LoggerContext context, String app, String instance) {
    context.putProperty(APP, app);
    context.putProperty(INSTANCE, instance);
  }

  private static String of(ILoggingEvent event) {
    Map<String, String> properties = event.getLoggerContextVO().getPropertyMap();
    String app = properties.get(APP);
    return app == null ? PROGRAM : PROGRAM + "-" + app + "-" + properties.get(INSTANCE);
  }

  /** In the name of a file. */
  public static final class OfFile extends AbstractDiscriminator<ILoggingEvent> {
    @Override
    public String getDiscriminatingValue(ILoggingEvent event) {
      return of(event);
    }

    @Override
    public String getKey() {
      return "source";
    }
  }

  /** In a line. */
  public static final class OfLine extends ClassicConverter {
    @Override
    public String convert(ILoggingEvent event) {
      return of(event);
    }
  }
}
