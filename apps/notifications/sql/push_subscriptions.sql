-- A push subscription ends with the session of its browser, however the session ends. The check comes at the end of the
-- transaction, because a session that gets another key is a new row, which takes over the handle of the deleted one.
CREATE FUNCTION push_subscriptions_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM push_subscriptions AS subscription
    WHERE subscription.session_handle = OLD.handle
        AND NOT EXISTS (SELECT FROM auth_sessions AS session WHERE session.handle = OLD.handle);
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER push_subscriptions_end AFTER DELETE ON auth_sessions
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION push_subscriptions_end();
