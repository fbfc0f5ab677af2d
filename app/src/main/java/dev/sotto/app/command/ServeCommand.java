package dev.sotto.app.command;

import dev.sotto.app.scoring.ModelSource.FileModel;
import dev.sotto.app.serve.ModelServer;
import dev.sotto.app.serve.ServeSettings;
import dev.sotto.app.serve.ServeTls;
import dev.sotto.app.serve.ServedModel;
import dev.sotto.client.LiveModel;
import dev.sotto.client.ModelChoice;
import dev.sotto.client.ModelHealth;
import dev.sotto.client.ModelListener;
import dev.sotto.client.ScoringModel;
import dev.sotto.config.settings.HttpSettings;
import dev.sotto.learner.description.GuaranteeFigures;
import dev.sotto.learner.key.SecretFile;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Scores over HTTP, until it is stopped. */
@Command(
    name = "serve",
    description = {
      "Score events over HTTP with the newest published version of a model, or the one that an"
          + " alias names; a new version is taken as it comes.",
      "POST /score takes one JSON event or a list; below /v2 is the Open Inference Protocol"
          + " (docs/serve.md).",
      "Predictions tell of the events that they are about: give them to those who may see these."
    },
    footer = {"", "Stop it with Ctrl-C or SIGTERM; requests under way are answered."})
public final class ServeCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(ServeCommand.class);
  private static final int LONGEST_SECRET = 1 << 16;

  @Spec
  private CommandSpec spec;

  @Mixin
  private VersionSource source;

  @Mixin
  private ModelOptions model;

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:8080",
      description =
          "Where to listen; a port alone means this machine alone. Default:" + " ${DEFAULT-VALUE}.")
  private String listen;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "A file with the token that requests must carry (Authorization: Bearer ...),"
          + " readable by its owner alone. Probes need none.")
  private Path tokenFile;

  @Option(
      names = "--tls-certificate",
      paramLabel = "FILE",
      description = "Serve HTTPS with this certificate and its chain (PEM).")
  private Path certificate;

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      description = "The certificate's private key (PEM, PKCS #8), readable by its owner alone.")
  private Path key;

  @Option(
      names = "--names",
      split = ",",
      paramLabel = "NAME",
      description = "Names of hosts under which it may be asked where it listens on this machine"
          + " alone without a token: beside addresses and localhost.")
  private List<String> names = List.of();

  @Option(
      names = "--max-body",
      paramLabel = "BYTES",
      defaultValue = "1048576",
      description = "The largest body of a request. Default: ${DEFAULT-VALUE}.")
  private long maxBody;

  @Option(
      names = "--max-events",
      paramLabel = "N",
      defaultValue = "10000",
      description = "The most events, or rows, of a request. Default: ${DEFAULT-VALUE}.")
  private int maxEvents;

  @Override
  public Integer call() throws InterruptedException {
    source.requireNamed();
    ServeSettings settings = settings();
    Optional<FileModel> file = source.inFile();
    if (file.isPresent()) {
      VersionSource.tellNotes(file.get(), spec.commandLine().getErr());
      serve(settings, ServedModel.of(file.get().model()), Optional.empty());
      return ExitCode.OK.code();
    }
    ModelChoice choice = model.choice();
    Optional<String> alias =
        choice instanceof ModelChoice.Alias named ? Optional.of(named.name()) : Optional.empty();
    try (LiveModel live = LiveModel.open(
        source.unasked(), source.appId(), each -> each.with(choice).withListener(new Teller()))) {
      serve(settings, ServedModel.of(live), alias);
    }
    return ExitCode.OK.code();
  }

  /** Says what is in place. */
  private final class Teller implements ModelListener {
    @Override
    public void changed(ScoringModel fresh) {
      say("serving version " + fresh.version() + " of model " + fresh.modelId() + ", epsilon "
          + GuaranteeFigures.up(fresh.guarantee().epsilon(), 4));
    }

    @Override
    public void health(ModelHealth health) {
      if (health.state() != ModelHealth.State.CURRENT) {
        say(health.text());
      }
    }
  }

  private void serve(ServeSettings settings, ServedModel served, Optional<String> alias)
      throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    Thread hook = new Thread(
        () -> {
          end.countDown();
          try {
            closed.await();
          } catch (InterruptedException now) {
            Thread.currentThread().interrupt();
          }
        },
        "sotto-stop");
    try (ModelServer server = ModelServer.start(settings, served, alias, version())) {
      Runtime.getRuntime().addShutdownHook(hook);
      say("listening on " + server.address());
      end.await();
      say("stopping: requests under way are answered");
    } finally {
      closed.countDown();
    }
  }

  private ServeSettings settings() {
    HttpSettings where = HttpSettings.parse(listen, Optional.empty(), 0)
        .orElseThrow(() -> new SottoException(
            FailureKind.USAGE,
            "--listen must be HOST:PORT, [IPv6]:PORT or a port of 0 to 65535, but was " + listen));
    if ((certificate == null) != (key == null)) {
      throw new SottoException(
          FailureKind.USAGE, "--tls-certificate and --tls-key belong together; give both or none");
    }
    ServeSettings.Limits usual = ServeSettings.Limits.USUAL;
    try {
      return new ServeSettings(
          where.host(),
          where.port(),
          tokenFile == null ? Optional.empty() : Optional.of(BearerToken.read(tokenFile)),
          certificate == null ? Optional.empty() : Optional.of(tls()),
          new ServeSettings.Limits(maxBody, maxEvents, usual.connections(), usual.seconds()),
          names);
    } catch (IllegalArgumentException wrong) {
      throw new SottoException(FailureKind.USAGE, wrong.getMessage(), wrong);
    } catch (IOException unreadable) {
      throw new SottoException(FailureKind.CONFIGURATION, unreadable.getMessage(), unreadable);
    }
  }

  private SSLContext tls() throws IOException {
    return ServeTls.of(
        certificate, SecretFile.read(key, "key file", "one private key", LONGEST_SECRET));
  }

  private static String version() {
    String version = ServeCommand.class.getPackage().getImplementationVersion();
    return version == null ? "(unpackaged)" : version;
  }

  private void say(String line) {
    PrintWriter terminal = spec.commandLine().getErr();
    terminal.println(line);
    terminal.flush();
    LOG.info("{}", line);
  }
}
