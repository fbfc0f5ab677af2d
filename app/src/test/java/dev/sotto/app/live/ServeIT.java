package dev.sotto.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.app.serve.ModelServer;
import dev.sotto.app.serve.ServeSettings;
import dev.sotto.app.serve.ServeTls;
import dev.sotto.app.serve.ServedModel;
import dev.sotto.client.LiveModel;
import dev.sotto.client.ModelPublisher;
import dev.sotto.testbroker.Cluster;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server over TLS follows what a learner publishes. */
class ServeIT {
  private static final char[] PASSWORD = "store-secret".toCharArray();

  @TempDir
  private Path folder;

  private KeyStore keys() throws Exception {
    Path store = folder.resolve("keys.p12");
    List<String> words = List.of(
        Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
        "-genkeypair",
        "-keystore",
        store.toString(),
        "-storetype",
        "PKCS12",
        "-storepass",
        "store-secret",
        "-alias",
        "server",
        "-dname",
        "CN=localhost",
        "-ext",
        "san=dns:localhost,ip:127.0.0.1",
        "-keyalg",
        "EC",
        "-groupname",
        "secp256r1",
        "-validity",
        "30");
    Process keytool = new ProcessBuilder(words)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("keytool.out").toFile())
        .start();
    assertThat(keytool.waitFor()).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    return keys;
  }

  private static String pem(String what, byte[] bytes) {
    return "-----BEGIN " + what + "-----\n" + Base64.getMimeEncoder().encodeToString(bytes)
        + "\n-----END " + what + "-----\n";
  }

  private static HttpClient trusting(Certificate certificate) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("server", certificate);
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return HttpClient.newBuilder().sslContext(context).build();
  }

  private static HttpResponse<String> ask(HttpClient client, ModelServer server)
      throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(server.address() + "/score"))
        .POST(HttpRequest.BodyPublishers.ofString("{\"a\":0.5}"))
        .build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void followsTheNewestVersionOverTls() throws Exception {
    KeyStore keys = keys();
    Certificate certificate = keys.getCertificate("server");
    Path chain = folder.resolve("server.crt");
    Files.writeString(chain, pem("CERTIFICATE", certificate.getEncoded()));
    SSLContext tls =
        ServeTls.of(chain, pem("PRIVATE KEY", keys.getKey("server", PASSWORD).getEncoded()));
    ServeSettings settings = new ServeSettings(
        "127.0.0.1", 0, Optional.empty(), Optional.of(tls), ServeSettings.Limits.USUAL, List.of());
    HttpClient client = trusting(certificate);
    try (Cluster cluster = Cluster.shared();
        ModelPublisher publisher = new ModelPublisher(cluster, "served", ScoreIT.features());
        LiveModel live = LiveModel.open(cluster.clients(), "served");
        ModelServer server =
            ModelServer.start(settings, ServedModel.of(live), Optional.empty(), "1")) {
      assertThat(server.address()).startsWith("https://");
      assertThat(ask(client, server).statusCode()).isEqualTo(503);
      for (String version : List.of("1", "2")) {
        publisher.publish("model", Long.parseLong(version), ModelPublisher.Fault.NONE);
        Awaitility.await()
            .until(() -> ask(client, server)
                .headers()
                .firstValue("Sotto-Version")
                .equals(Optional.of(version)));
        assertThat(ask(client, server).body()).startsWith("{\"prediction\":");
      }
    }
  }
}
