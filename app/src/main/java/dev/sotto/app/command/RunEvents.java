package dev.sotto.app.command;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.sotto.app.view.StatusLine;
import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.learner.description.Section;
import dev.sotto.topology.runtime.LearnerService;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What happens to a running learner, each event said once: as a line of text on standard error, as
 * a line of JSON on standard output, or in the log alone where that goes to standard output.
 */
final class RunEvents implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RunEvents.class);
  private static final String OURS = "dev.sotto";
  private static final String CONSOLE = "STDERR"; // of logback.xml

  private final Form form;
  private final Section source;
  private final PrintWriter json;
  private final StatusLine terminal;
  private final Warnings warnings = new Warnings();

  /** How events are said. */
  enum Form {
    /** As lines of text, above a line that is drawn in place on a terminal; and in the log. */
    TEXT(true),
    /** As lines of JSON, and in the log, which goes to files. */
    JSON(true),
    /** As lines of JSON, since the log goes to the same stream. */
    JSON_ALONE(false),
    /** In the log, which goes to standard output. */
    LOG(true);

    private final boolean logged;

    Form(boolean logged) {
      this.logged = logged;
    }

    /**
     * The form that was asked for.
     *
     * @param json whether JSON was
     * @param log where the log goes (SOTTO_LOG), or null
     */
    static Form of(boolean json, String log) {
      boolean printed = log != null && !log.equals("files");
      return json ? printed ? JSON_ALONE : JSON : printed ? LOG : TEXT;
    }
  }

  /**
   * Nothing yet.
   *
   * @param source what stands in each line of JSON: which learner and instance it is
   * @param json standard output
   * @param terminal standard error
   */
  RunEvents(Form form, Section source, PrintWriter json, StatusLine terminal) {
    this.form = form;
    this.source = source;
    this.json = json;
    this.terminal = terminal;
  }

  /** Says warnings of the log as events too from now on, instead of beside them. */
  RunEvents withWarnings() {
    return LoggerFactory.getILoggerFactory() instanceof LoggerContext context
        ? withWarnings(context)
        : this;
  }

  RunEvents withWarnings(LoggerContext context) {
    if (form != Form.LOG) {
      context.getLogger(OURS).detachAppender(CONSOLE);
      warnings.setContext(context);
      warnings.start();
      context.getLogger(OURS).addAppender(warnings);
    }
    return this;
  }

  /** Something has happened. */
  void tell(String event, String text) {
    tell(event, text, Section.untitled());
  }

  /** The same with figures for programs. */
  void tell(String event, String text, Section figures) {
    say(event, text, figures);
    if (form.logged) {
      LOG.info("{}", text);
    }
  }

  private synchronized void say(String event, String text, Section figures) {
    switch (form) {
      case TEXT -> terminal.print(text);
      case JSON, JSON_ALONE -> {
        json.println(JsonRenderer.of(Section.untitled()
            .fact("time", Instant.now().toString())
            .append(source)
            .fact("event", event)
            .fact("text", text)
            .append(figures)));
        json.flush();
      }
      case LOG -> {} // said there
    }
  }

  /** Draws the line that says how it is now, where there is a terminal. */
  void now(List<String> forms) {
    if (form == Form.TEXT) {
      terminal.show(forms);
    }
  }

  /** Takes that line away. Events and warnings are said as before. */
  @Override
  public void close() {
    terminal.close();
  }

  /**
   * Lines of the log from WARN on. What stops a learner is not among them: it is the last line of
   * the command.
   */
  private final class Warnings extends AppenderBase<ILoggingEvent> {
    @Override
    protected void append(ILoggingEvent line) {
      if (line.getLevel().isGreaterOrEqual(Level.WARN)
          && !line.getMessage().equals(LearnerService.STOPPING)) {
        String level = line.getLevel().toString();
        String text = line.getFormattedMessage();
        say(
            level.toLowerCase(Locale.ROOT),
            form == Form.TEXT ? String.format(Locale.ROOT, "%-5s %s", level, text) : text,
            Section.untitled());
      }
    }
  }
}
