package dev.sotto.app.view;

import ch.qos.logback.core.status.Status;
import ch.qos.logback.core.status.StatusListener;

/**
 * Says on standard error, in one line, that logs cannot be written; logback itself would tell the
 * whole story of its start on standard output, which belongs to the commands. Named in logback.xml.
 */
public final class LogFileErrors implements StatusListener {
  private boolean said;

  @Override
  public synchronized void addStatusEvent(Status status) {
    if (!said && status.getEffectiveLevel() >= Status.ERROR) {
      said = true;
      Throwable cause = status.getThrowable();
      System.err.println("sotto: logs cannot be written: "
          + (cause == null ? status.getMessage() : cause.getMessage())
          + "; name a folder for them with SOTTO_LOG_DIR");
    }
  }
}
